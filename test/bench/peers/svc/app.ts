/** Our application, as `svc create app` lays it out and the guide to tokens secures it. */
import { application, createServer } from 'svc-host'
import { serveMeasured } from '../../measured/measured-server.ts'
import config from './svc.config.ts'

await serveMeasured(await createServer(application(config, import.meta.url)))
