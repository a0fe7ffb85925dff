/**
 * The environment catalogue: every variable this application reads, with its
 * type and default. No other file reads process.env.
 */
import { existsSync } from 'node:fs'
import { readEnv } from 'svc-host'

// Variables that are set already win over the file.
if (existsSync('.env')) process.loadEnvFile('.env')

export const env = readEnv(process.env, {
  PORT: { type: 'integer', default: 5151, min: 0, max: 65535 },
  HOST: { type: 'string', default: '127.0.0.1' },
  // `sqlite:<path>` or `postgres://user:password@host:5432/database`.
  DATABASE_URL: { type: 'string', default: 'sqlite:data/app.db' },
  // 32 bytes, base64. Without it, development uses a key that ends with the process.
  SEALING_KEY: { type: 'string', optional: true },
  // 32 bytes, base64. Without it production sends no webhooks.
  SVC_WEBHOOK_KEY: { type: 'string', optional: true },
  // The sender of mails, the mail server of production, and who gets the digest of notes.
  MAIL_FROM: { type: 'string', default: 'Shop <shop@localhost>' },
  MAIL_URL: { type: 'string', default: 'smtp://127.0.0.1:25' },
  DIGEST_TO: { type: 'string', default: 'root@localhost' },
  // What mails to the owners of accounts link to.
  ACCOUNT_URL: { type: 'string', default: 'http://localhost:5151/account' },
  // `svc dev` sets development. Without a value, the application runs as production.
  NODE_ENV: { type: 'enum', values: ['development', 'production', 'test'], default: 'production' }
})
