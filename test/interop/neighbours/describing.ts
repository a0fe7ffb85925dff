/** Plugins that compile schemas of routes, or show them. */
import { Type } from '@fastify/type-provider-typebox'
import type { FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import type { Neighbour } from './neighbour.ts'

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

export const describing: readonly Neighbour[] = [zod, typebox]
