/** `svc explain`: why a caller gets in, or does not. The application boots, but opens no port. */
import { METHODS } from 'node:http'
import type { Kernel } from '../application/app-packages.ts'
import { inspectApp } from '../application/inspect-app.ts'
import { patternText, securityOf } from '../application/security-view.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson } from '../output.ts'
import { type Caller, explainRequest } from './explanation.ts'
import { explanationText } from './explanation-text.ts'
import { findRoute, type RouterOptions } from './find-route.ts'

export interface ExplainOptions extends AppOptions {
  /** Identifier of the caller. */
  as: string
  /** Separated by commas. */
  roles?: string
  /** Separated by commas; a caller with scopes is a machine. */
  scopes?: string
  json?: true
}

/** @throws CommandError SVC_EXPLAIN_REQUEST when method or path cannot be those of a request */
export async function explain(method: string, path: string, options: ExplainOptions): Promise<void> {
  const verb = readMethod(method)
  if (!path.startsWith('/')) throw new CommandError(notARequest('path', path, 'a path that starts with /'), 2)
  const command = `svc explain ${verb} ${path}`
  await inspectApp(
    options,
    { script: `npx ${command}`, direct: command },
    async ({ kernel, app, declared, register }) => {
      const fastify = await register()
      await fastify.ready()
      const { routerOptions } = (app.config.server ?? {}) as { routerOptions?: RouterOptions }
      const found = findRoute(declared, verb, path, routerOptions)
      const caller = callerOf(kernel, options)
      const explanation = await explainRequest(found, path, caller, securityOf(fastify))
      if (options.json !== true) print(explanationText(`${verb} ${path}`, caller, found, explanation))
      else printJson(asJson(verb, path, caller, found, explanation))
    }
  )
}

function asJson(
  method: string,
  path: string,
  { identifier, roles, scopes }: Caller,
  found: ReturnType<typeof findRoute>,
  { zone, ...rest }: Awaited<ReturnType<typeof explainRequest>>
) {
  return {
    method,
    path,
    caller: { identifier, roles, scopes },
    route: found && {
      name: found.route.name,
      path: found.route.path,
      source: found.route.source,
      params: found.params
    },
    zone: zone && {
      name: zone.name,
      pattern: patternText(zone),
      mode: zone.mode,
      authenticators: zone.authenticators
    },
    ...rest
  }
}

function callerOf(kernel: Kernel, { as, roles, scopes }: ExplainOptions): Caller {
  const given = { identifier: as, roles: list(roles), scopes: list(scopes) }
  const anonymous = as === kernel.ANONYMOUS.identifier && given.roles.length === 0 && given.scopes.length === 0
  if (anonymous) return { ...given, anonymous, token: kernel.ANONYMOUS_TOKEN }
  const type = given.scopes.length === 0 ? 'session' : 'apikey'
  return { ...given, anonymous, token: kernel.createAccessToken({ type, user: given, scopes: given.scopes }) }
}

function list(names: string | undefined): string[] {
  return (names ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}

function readMethod(method: string): string {
  const verb = method.toUpperCase() === 'WS' ? 'WEBSOCKET' : method.toUpperCase()
  if (verb === 'WEBSOCKET' || METHODS.includes(verb)) return verb
  throw new CommandError(notARequest('method', method, 'GET, POST, PUT, PATCH, DELETE, ... or WEBSOCKET'), 2)
}

function notARequest(what: string, got: string, expected: string) {
  return {
    code: 'SVC_EXPLAIN_REQUEST',
    message: `this is not the ${what} of a request`,
    at: what,
    got,
    expected,
    fix: 'svc explain GET /api/hello --as alice'
  }
}
