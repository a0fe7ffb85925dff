/** Builds the application for one test: same modules, no port, closed when the test ends. */
import type { TestContext } from 'node:test'
import { application, createServer } from 'svc-kernel'
import config from '../svc.config.ts'

export async function build(t: TestContext) {
  const app = application({ ...config, mode: 'test' }, import.meta.resolve('../app.js'))
  const fastify = await createServer(app)
  t.after(() => fastify.close())
  await fastify.ready()
  return fastify
}
