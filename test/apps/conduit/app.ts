/** The entry, as `svc build` finds it. */
import { application } from 'svc-host'
import config from './svc.config.ts'

export default application(config, import.meta.url)
