# The first lines of README.md.
npm ci && npm run demo    # issues a real invoice and a credit note against a built-in SRI, in seconds
npm ci && npm test        # the tests, offline, nothing to install beforehand
npm start                 # the server, in the foreground, on http://127.0.0.1:3000
