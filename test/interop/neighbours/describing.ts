/** Plugins that compile schemas of routes, or show them. */
import { Type } from '@fastify/type-provider-typebox'
import type { FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import type { Neighbour } from './neighbour.ts'
import { pluginNamed } from './shared-server.ts'

const zod: Neighbour = {
  name: 'fastify-type-provider-zod',
  body: z.strictObject({ text: z.string().max(20) }),
  register(scope, { validatorCompiler, serializerCompiler }) {
    scope.setValidatorCompiler(validatorCompiler)
    scope.setSerializerCompiler(serializerCompiler)
  },
  routes(scope, at) {
    const schema = {
      body: z.object({ name: z.string().trim().min(1) }),
      response: { 200: z.object({ name: z.string() }) }
    }
    scope.post(`${at}/names`, { schema }, async ({ body }) => ({ ...(body as object), more: 'than the schema' }))
  },
  async holds(t, { at, caller }) {
    t.strictSame((await caller.ask(`${at}/names`, { body: { name: ' Ada ' } })).json(), { name: 'Ada' })
    t.equal((await caller.ask(`${at}/names`, { body: { name: ' ' } })).status, 400)
  },
  note: 'Controllers take Zod schemas with or without its compilers.'
}

const typebox: Neighbour = {
  name: '@fastify/type-provider-typebox',
  register(scope, { TypeBoxValidatorCompiler }) {
    scope.setValidatorCompiler(TypeBoxValidatorCompiler as FastifySchemaCompiler<unknown>)
  },
  routes(scope, at) {
    const schema = { body: Type.Object({ name: Type.String({ minLength: 2 }) }) }
    scope.post(`${at}/names`, { schema }, async ({ body }) => body)
  },
  async holds(t, { at, caller }) {
    t.strictSame((await caller.ask(`${at}/names`, { body: { name: 'Ada' } })).json(), { name: 'Ada' })
    t.equal((await caller.ask(`${at}/names`, { body: { name: 'A' } })).status, 400)
  },
  note: ''
}

/** svc-openapi joins it: its document has what ours adds, and `fastify.swagger()` is one document. */
const swagger: Neighbour = {
  name: '@fastify/swagger',
  register: (scope, plugin) => scope.register(plugin, { openapi: { info: { title: 'theirs', version: '1' } } }),
  routes: (scope, at) => void scope.get(`${at}/document`, async () => scope.getDecorator<() => object>('swagger')()),
  async holds(t, { at, caller }) {
    const document = (await caller.ask(`${at}/document`)).json()
    t.equal(document.info.title, 'theirs')
    t.ok('/open/document' in document.paths)
  },
  note: 'svc-openapi joins its document. In a scope it has its own document.'
}

const swaggerUi: Neighbour = {
  name: '@fastify/swagger-ui',
  async register(scope, plugin, { order }) {
    if (order === 'before') await scope.register(await pluginNamed('@fastify/swagger'), { openapi: {} })
    await scope.register(plugin, { routePrefix: '/open/docs' })
  },
  async holds(t, { caller }) {
    t.match((await caller.ask('/open/docs/')).text, /swagger-ui/i)
    t.ok('/in/vault' in (await caller.ask('/open/docs/json')).json().paths)
  },
  note: 'After svc-openapi it needs no @fastify/swagger. The page of svc-openapi contains this one.'
}

/** It looks for `fastify.swagger` while it registers; in a scope it is given the address of the document. */
const scalar: Neighbour = {
  name: '@scalar/fastify-api-reference',
  async register(scope, plugin, { order }) {
    if (order !== 'scope') await scope.register(await pluginNamed('@fastify/swagger'), { openapi: {} })
    const configuration = order === 'scope' ? { configuration: { url: '/the-document.json' } } : {}
    await scope.register(plugin, { routePrefix: '/open/reference', ...configuration })
  },
  async holds(t, { caller, order }) {
    const { text } = await caller.ask('/open/reference/')
    t.match(text, /<html/i)
    if (order === 'scope') t.match(text, /\/the-document\.json/)
    else t.ok('/in/vault' in (await caller.ask('/open/reference/openapi.json')).json().paths)
  },
  note: 'Register @fastify/swagger before it; svc-openapi joins. In a scope, set `configuration.url` to the document of svc-openapi.'
}

export const describing: readonly Neighbour[] = [zod, typebox, swagger, swaggerUi, scalar]
