/**
 * svc-decorators: controllers written once, served over HTTP and WebSocket.
 * Classes are compiled to plain Fastify routes at registration; every mistake
 * of every controller is told in one report, before any route is declared.
 *
 * Decorates  fastify.controllers
 * Hooks      preClose: tells WebSocket clients that the server goes away
 * Needs      nothing (svc-kernel and, for WEBSOCKET routes, @fastify/websocket are added when absent)
 */
import { resolve } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { appHost, BootError, definePlugin, ensureKernel, type Problem, readOptions } from 'svc-kernel'
import { assembleRoutes } from './compile/assemble-routes.ts'
import { compileClass } from './compile/compile-class.ts'
import { type CompiledRoute, describeRoute } from './compile/compiled-route.ts'
import { type BuiltRoute, buildRoute } from './compile/route-options.ts'
import type { ControllerClass } from './declarations/class-declarations.ts'
import { loadControllers } from './discovery/load-controllers.ts'
import { optionsSchema, type SvcDecoratorsOptions } from './options.ts'
import { ensureWebSocket } from './websocket/ws.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The routes of all controllers, in order of declaration. */
    controllers: readonly CompiledRoute[]
  }
}

/** What registers controllers: classes, a folder of them, or both. */
export interface SvcDecoratorsRegistration extends SvcDecoratorsOptions {
  /** Controller classes. */
  controllers?: readonly ControllerClass[]
  /** Put before the prefix of every controller. */
  prefix?: string
}

const decorators: FastifyPluginAsync<SvcDecoratorsRegistration> = async (fastify, { controllers, ...given }) => {
  await ensureKernel(fastify)
  const options = readOptions<SvcDecoratorsOptions & { websocket: { maxPayload: number } }>(
    'svc-decorators',
    optionsSchema,
    given
  )
  const found = await findClasses(fastify, controllers, options.dir)
  const compiled = found.classes.map((Class) => compileClass(Class, given.prefix))
  const assembled = assembleRoutes(compiled.flatMap(({ endpoints }) => endpoints))
  const problems = [...found.problems, ...compiled.flatMap((each) => each.problems), ...assembled.problems]
  if (problems.length > 0) throw new BootError(problems)

  const routes = assembled.plans.map(buildRoute)
  if (routes.some(({ socket }) => socket !== null)) await ensureWebSocket(fastify, options.websocket.maxPayload)
  for (const { options: route } of routes) fastify.route(route)
  listRoutes(fastify, routes)
  fastify.addHook('onReady', async () => {
    compileMessages(fastify, routes)
  })
}

async function findClasses(
  fastify: FastifyInstance,
  given: readonly ControllerClass[] | undefined,
  dir: string | undefined
): Promise<{ classes: ControllerClass[]; problems: Problem[] }> {
  const host = appHost(fastify)
  const loaded =
    dir === undefined ? { classes: [], problems: [] } : await loadControllers(resolve(host.root, dir), host)
  return {
    classes: [...new Set([...(Array.isArray(given) ? given.filter(isClass) : []), ...loaded.classes])],
    problems: [...givenProblems(given, dir), ...loaded.problems]
  }
}

function givenProblems(given: unknown, dir: string | undefined): Problem[] {
  const at = 'svc-decorators.controllers'
  if (given === undefined) {
    return dir === undefined
      ? [
          {
            code: 'SVC_CONTROLLER_NONE',
            message: 'no controllers are named',
            at: 'svc-decorators',
            expected: "{ controllers: [Class] } or { dir: 'controllers' }",
            fix: "[svcDecorators, { dir: './controllers' }]"
          }
        ]
      : []
  }
  if (!Array.isArray(given)) {
    return [
      {
        code: 'SVC_CONTROLLER_INVALID',
        message: 'controllers is not a list',
        at,
        got: typeof given,
        expected: 'an array of classes',
        fix: 'controllers: [Class]'
      }
    ]
  }
  return given.flatMap((Class: unknown, index) =>
    isClass(Class)
      ? []
      : [
          {
            code: 'SVC_CONTROLLER_INVALID',
            message: 'a controller is not a class',
            at: `${at}[${index}]`,
            got: typeof Class,
            fix: 'check its import'
          }
        ]
  )
}

function isClass(value: unknown): value is ControllerClass {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null
}

/** A second registration on the same instance adds to the list of the first. */
function listRoutes(fastify: FastifyInstance, routes: readonly BuiltRoute[]): void {
  const descriptions = routes.map(({ options }) => describeRoute(options, fastify.prefix))
  if (fastify.hasDecorator('controllers')) (fastify.controllers as CompiledRoute[]).push(...descriptions)
  else fastify.decorate('controllers', descriptions)
}

/** Fastify compiles the schemas of requests; those of messages are compiled here, so that a bad one fails the boot. */
function compileMessages(fastify: FastifyInstance, routes: readonly BuiltRoute[]): void {
  const problems = routes.flatMap(({ socket, options }): Problem[] => {
    try {
      socket?.codec(fastify)
      return []
    } catch (error) {
      return [
        {
          code: 'SVC_ROUTE_SCHEMA',
          message: `the schema of WEBSOCKET ${options.url} does not compile: ${(error as Error).message}`,
          at: options.config.svc.source ?? undefined,
          fix: 'correct schema.body: it is JSON Schema'
        }
      ]
    }
  })
  if (problems.length > 0) throw new BootError(problems)
}

export default definePlugin(decorators, {
  name: 'svc-decorators',
  optionsSchema,
  // It puts its hooks before the routes that are declared after it.
  after: ['svc-realtime'],
  liveOptions: ['controllers'],
  repeatable: true
})

export { compileController } from './compile/compile-controller.ts'
export type { CompiledRoute } from './compile/compiled-route.ts'
export type { ControllerRoute } from './compile/route-options.ts'
export type { ControllerClass } from './declarations/class-declarations.ts'
export type { RouteSettings } from './declarations/declarations.ts'
export { Anonymous } from './decorators/anonymous.ts'
export { Body } from './decorators/body.ts'
export { BypassFirewall } from './decorators/bypass-firewall.ts'
export { controller } from './decorators/controller.ts'
export { Ctx } from './decorators/ctx.ts'
export { CurrentUser } from './decorators/current-user.ts'
export type { ShortRouteSettings } from './decorators/declare-route.ts'
export { Delete } from './decorators/delete.ts'
export { Get } from './decorators/get.ts'
export { Headers } from './decorators/headers.ts'
export { IsGranted } from './decorators/is-granted.ts'
export { Message } from './decorators/message.ts'
export { Param } from './decorators/param.ts'
export { Patch } from './decorators/patch.ts'
export { Post } from './decorators/post.ts'
export { Put } from './decorators/put.ts'
export { Query } from './decorators/query.ts'
export { RequireScope } from './decorators/require-scope.ts'
export { type NamedRouteSettings, type RouteMethod, route } from './decorators/route.ts'
export { WebSocket } from './decorators/web-socket.ts'
export * from './errors.ts'
export type { ControllerContext, HttpContext, InitializableController, WebSocketContext } from './executor/context.ts'
export type { SvcDecoratorsOptions } from './options.ts'
export { ensureWebSocket } from './websocket/ws.ts'
