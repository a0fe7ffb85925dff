/** Builds the application for one test: same modules, no port, jobs that run when it drains them; closed when the test ends. */
import type { TestContext } from 'node:test'
import { application, createServer } from 'svc-host'
import config from '../svc.config.ts'

export async function build(t: TestContext) {
  const app = application({ ...config, mode: 'test' }, import.meta.resolve('../app.js'))
  const fastify = await createServer(app, { manualJobs: true })
  t.after(() => fastify.close())
  await fastify.ready()
  return fastify
}
