/** A help desk that is sold to organisations, built of what the guides show, and of nothing else. */
import { application, serve } from 'svc-host'
import config from './svc.config.ts'

const app = application(config, import.meta.url)

export default app

if (import.meta.main) await serve(app, 'node dist/app.js')
