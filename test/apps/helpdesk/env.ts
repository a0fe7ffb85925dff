/** The environment catalogue: every variable of the application. No other file reads process.env. */
import { readEnv } from 'svc-host'

export const env = readEnv(process.env, {
  PORT: { type: 'integer', default: 5151, min: 0, max: 65535 },
  HOST: { type: 'string', default: '127.0.0.1' },
  // The public address: mails link to it, and tokens for tools name it.
  ORIGIN: { type: 'string', default: 'http://localhost:5151' },
  // `sqlite:<path>`, `postgres://...` or `mongodb://...`.
  DATABASE_URL: { type: 'string', default: 'sqlite:data/app.db' },
  FILES: { type: 'string', default: 'data/files' },
  KEYS: { type: 'string', default: 'keys' },
  // 32 bytes, base64. Without it production sends customers no events.
  SVC_EVENT_KEY: { type: 'string', optional: true },
  MAIL_FROM: { type: 'string', default: 'Help desk <desk@localhost>' },
  MAIL_URL: { type: 'string', default: 'smtp://127.0.0.1:25' },
  NODE_ENV: { type: 'enum', values: ['development', 'production', 'test'], default: 'production' }
})
