/**
 * svc-decorators: controllers that answer HTTP and WebSocket. Classes are compiled to plain Fastify routes at
 * registration; one report lists the mistakes of all controllers before any route is declared.
 *
 * Decorates  fastify.controllers
 * Hooks      preClose: closes WebSockets with 1001, going away
 * Needs      nothing (svc-kernel and, for WEBSOCKET routes, @fastify/websocket are added when absent)
 */
import { resolve } from 'node:path'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { appHost, BootError, definePlugin, ensureKernel, type Problem, readOptions, warnAtBoot } from 'svc-kernel'
import { joinPaths } from './compile/route-path.ts'
import type { ControllerClass } from './declarations/declarations.ts'
import { loadControllers } from './discovery/load-controllers.ts'
import { tellJobRuns } from './executor/job-handler.ts'
import { optionsSchema, type SvcDecoratorsOptions } from './options.ts'
import type { BuiltJob } from './routes/build-job.ts'
import type { BuiltRoute } from './routes/build-route.ts'
import { type CompiledRoute, compileControllers, describeRoute } from './routes/compile-controller.ts'
import { unreadSchemas } from './routes/unread-schemas.ts'
import { ensureWebSocket } from './websocket/ws.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The routes of all controllers, in order of declaration. */
    controllers: readonly CompiledRoute[]
  }
}

/** Registers controllers: classes, a folder of them, or both. */
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
  // Fastify sets its own compiler later, so a compiler that exists now is the application's.
  const hasCompiler = typeof fastify.validatorCompiler === 'function'
  const { routes, jobs } = compileControllers(found.classes, given.prefix, found.problems, hasCompiler)
  const unread = unreadSchemas(fastify.validatorCompiler, routes)
  if (unread !== null) warnAtBoot(fastify, unread)
  if (routes.some(({ socket }) => socket !== null)) await ensureWebSocket(fastify, options.websocket.maxPayload)
  for (const { options: route } of routes) fastify.route(route)
  declareJobs(fastify, jobs)
  listRoutes(fastify, [...routes, ...jobs])
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
            message: 'svc-decorators has no controllers',
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

function declareJobs(fastify: FastifyInstance, jobs: readonly BuiltJob[]): void {
  if (jobs.length > 0) tellJobRuns(fastify)
  for (const { operation, options } of jobs) {
    fastify.route(options)
    fastify.jobOperations.declare({ ...operation, path: joinPaths(fastify.prefix, operation.path) })
  }
}

/** A second registration on the same instance extends the list of the first. */
function listRoutes(fastify: FastifyInstance, routes: readonly Pick<BuiltRoute, 'options'>[]): void {
  const descriptions = routes.map(({ options }) => describeRoute(options, fastify.prefix))
  if (fastify.hasDecorator('controllers')) (fastify.controllers as CompiledRoute[]).push(...descriptions)
  else fastify.decorate('controllers', descriptions)
}

/** Compiles the schemas of messages, as Fastify compiles those of requests, so that a bad one fails the boot. */
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
          fix: 'correct schema.body, which must be JSON Schema'
        }
      ]
    }
  })
  if (problems.length > 0) throw new BootError(problems)
}

export default definePlugin(decorators, {
  name: 'svc-decorators',
  optionsSchema,
  // It adds its hooks only to routes that are declared after it.
  after: ['svc-realtime'],
  liveOptions: ['controllers'],
  repeatable: true
})

export type { Infer } from 'svc-kernel'
export type { ControllerClass } from './declarations/declarations.ts'
export type { RouteSchemas, RouteSettings } from './declarations/route-settings.ts'
export {
  Anonymous,
  BypassFirewall,
  Factor,
  Fresh,
  IsGranted,
  type ProofSettings,
  RequireScope
} from './decorators/access.ts'
export { Cron, type CronSettings, Job, type JobMethodSettings } from './decorators/jobs.ts'
export { RateLimit } from './decorators/limits.ts'
export { Body, Ctx, CurrentUser, Headers, Message, Param, Query } from './decorators/parameters.ts'
export {
  controller,
  Delete,
  Get,
  type NamedRouteSettings,
  Patch,
  Post,
  Put,
  type RouteMethod,
  route,
  type ShortRouteSettings,
  WebSocket
} from './decorators/routes.ts'
export * from './errors.ts'
export type {
  ControllerContext,
  HttpContext,
  InitializableController,
  JobContext,
  WebSocketContext
} from './executor/argument-readers.ts'
export type { SvcDecoratorsOptions } from './options.ts'
export type { ControllerRoute } from './routes/build-route.ts'
export { type CompiledRoute, compileController } from './routes/compile-controller.ts'
export { LeavingSocket } from './websocket/leaving-socket.ts'
export { ensureWebSocket } from './websocket/ws.ts'
