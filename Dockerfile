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
RUN npm run build:js
RUN npm prune --omit=dev

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
# Asks the server itself, on whatever port it was told.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "packages/server/dist/main.js"]
CMD ["serve"]
