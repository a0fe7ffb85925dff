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

/** An application that has the document before svc-openapi comes. */
const documentFirst = (register: Neighbour['register']): Pick<Neighbour, 'orders' | 'clash'> => ({
  orders: ['after', 'scope'],
  clash: {
    orders: ['before'],
    async register(scope, plugin, given) {
      await scope.register(await pluginNamed('@fastify/swagger'))
      await register(scope, plugin, given)
    },
    says: [/^✖ SVC_DECORATOR_TAKEN\s+fastify\.swagger/, /fix: leave @fastify\/swagger out/]
  }
})

const registerSwaggerUi: Neighbour['register'] = (scope, plugin) =>
  scope.register(plugin, { routePrefix: '/open/docs' })

const swaggerUi: Neighbour = {
  name: '@fastify/swagger-ui',
  register: registerSwaggerUi,
  async holds(t, { caller }) {
    t.match((await caller.ask('/open/docs/')).text, /swagger-ui/i)
    t.ok('/in/vault' in (await caller.ask('/open/docs/json')).json().paths)
  },
  note: 'After svc-openapi, without @fastify/swagger. svc-openapi has a page of its own, with this one inside.',
  ...documentFirst(registerSwaggerUi)
}

const registerScalar: Neighbour['register'] = (scope, plugin) =>
  scope.register(plugin, { routePrefix: '/open/reference' })

const scalar: Neighbour = {
  name: '@scalar/fastify-api-reference',
  register: registerScalar,
  async holds(t, { caller }) {
    t.match((await caller.ask('/open/reference/')).text, /<html/i)
    t.ok('/in/vault' in (await caller.ask('/open/reference/openapi.json')).json().paths)
  },
  note: 'After svc-openapi, without @fastify/swagger.',
  ...documentFirst(registerScalar)
}

const swagger: Neighbour = {
  name: '@fastify/swagger',
  register: (scope, plugin) =>
    scope.register(plugin, { decorator: 'theirs', openapi: { info: { title: 'theirs', version: '1' } } }),
  routes: (scope, at) => void scope.get(`${at}/document`, async () => scope.getDecorator<() => object>('theirs')()),
  async holds(t, { at, caller }) {
    const document = (await caller.ask(`${at}/document`)).json()
    t.equal(document.info.title, 'theirs')
    t.ok('/open/document' in document.paths)
  },
  note: '`decorator`, for a second document: svc-openapi brings @fastify/swagger, and `fastify.swagger()` is its document.',
  clash: {
    orders: ['before', 'after'],
    register: (scope, plugin) => scope.register(plugin),
    says: [/swagger/, /SVC_DECORATOR_TAKEN|FST_ERR_DEC_ALREADY_PRESENT/]
  }
}

export const describing: readonly Neighbour[] = [zod, typebox, swagger, swaggerUi, scalar]
