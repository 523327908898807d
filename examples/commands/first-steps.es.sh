# The first lines of README.es.md.
npm ci && npm run demo    # emite una factura y una nota de crédito contra un SRI incorporado, en segundos
npm ci && npm test        # las pruebas, sin conexión y sin instalar nada antes
npm start                 # el servidor, en primer plano, en http://127.0.0.1:3000
