/**
 * The routes that plugins declare bring the compilers of their schemas. Theirs are JSON
 * Schema, whatever an application sets for its own routes (Zod, TypeBox), and whenever it does.
 */
import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance, FastifySerializerCompiler } from 'fastify'
import type { RouteSecurity } from '../access/route-security.ts'
import { strictBodies } from './strict-bodies.ts'

/** For a route's `serializerCompiler`: what Fastify itself writes answers with. */
export const jsonSchemaSerializer: FastifySerializerCompiler<unknown> = ({ schema }) => {
  const write: (data: unknown) => string = fastJsonStringify(schema as object)
  return write
}

/** For every route of a plugin that is declared from here on. A controller's is the application's, and so are its compilers. */
export function compileRoutesOfPlugins(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', function bringCompilers(route) {
    if (!isOfPlugin(route.config?.svc)) return
    route.validatorCompiler ??= strictBodies
    route.serializerCompiler ??= jsonSchemaSerializer
  })
}

/** Plugins name their routes `svc.…`, and no line of the application declares them. */
function isOfPlugin(svc: RouteSecurity | undefined): boolean {
  return svc !== undefined && svc.source === null && svc.name.startsWith('svc.')
}
