/**
 * The entry. The default export is a Fastify plugin, so that any runner can
 * load it: `svc dev`, `svc start`, fastify-cli, a test. Run directly, it serves.
 */
import { application, serve } from 'svc-kernel'
import config from './svc.config.ts'

const app = application(config, import.meta.url)

export default app

if (import.meta.main) await serve(app, 'node dist/app.js')
