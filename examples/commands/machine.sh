# The commands of docs/*/operations.md and reliability.md, and of the packages' pages. Stand-ins replace those that would change
# this machine (npm, git, systemctl, docker, editor), and check whether the command could run.
REPOSITORY=https://git.example.com/sri.git

#region install-core
npm install sri-core
#endregion

#region install-adapters
npm install sri-core sri-storage-adapters better-sqlite3   # or pg
#endregion

#region pack
npm ci
npm pack -w sri-core -w sri-storage-adapters -w sri-server
#endregion

#region master-key
node -e "console.log('k1:' + require('node:crypto').randomBytes(32).toString('base64'))"
#endregion

#region service
git clone $REPOSITORY /opt/sri-server && cd /opt/sri-server && npm ci && npm run build:js
install -m 600 .env.example /etc/sri-server.env && editor /etc/sri-server.env
cp deploy/sri-server.service /etc/systemd/system/ && systemctl daemon-reload && systemctl enable --now sri-server
#endregion

#region compose
cp .env.example .env && editor .env       # MASTER_KEYS, BASE_URL, SMTP_URL, POSTGRES_PASSWORD
docker compose up -d
#endregion

#region world
npm run world                                     # 20,000 documents
npm run world -- --seed 7 --lives 100000          # from this seed on
npm run world -- --seed 7 --lives 400 --story     # one world, line by line
#endregion

#region chaos
npm run chaos                                            # the short form
npm run chaos -- --only kill-while-creating --runs 40    # one fault, so many times
npm run chaos -- --long                                  # hours
npm run chaos -- --long --minutes 30                     # half an hour for each line, which judges what came until then
npm run chaos -- --seed 7                                # the same choices as the run that printed "seed 7"
#endregion
