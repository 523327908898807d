# The server in an image of its own: built with everything, run with what it needs, as a user who owns nothing but /data.
#   docker build -t sri-server . && docker run -p 3000:3000 -v sri-data:/data --env-file .env sri-server
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY packages/sri-core/package.json packages/sri-core/
COPY packages/storage-adapters/package.json packages/storage-adapters/
COPY packages/server/package.json packages/server/
RUN npm ci
COPY packages packages
COPY docs docs
COPY llms.txt ./
RUN npm run build:js
RUN npm prune --omit=dev
# What no server reads: sources that were built, maps, and libraries for other systems.
RUN rm -rf packages/*/src packages/*/scripts packages/*/fixtures node_modules/better-sqlite3/deps node_modules/better-sqlite3/src
RUN find node_modules packages \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name 'darwin-*.node' -o -name 'win32-*.node' \) -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/packages packages
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# Asks the server on its own PORT.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The limits keep the heap small: see "Memory" in docs/en/scaling.md.
ENTRYPOINT ["node", "--max-old-space-size=1024", "--max-semi-space-size=16", "packages/server/dist/main.js"]
CMD ["serve"]
