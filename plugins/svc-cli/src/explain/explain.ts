/** `svc explain`: why a caller gets in, or does not. The application boots, but opens no port. */
import { METHODS } from 'node:http'
import { inspectApp } from '../application/inspect-app.ts'
import { patternText, securityOf } from '../application/security-view.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson } from '../output.ts'
import { type Caller, type CallerOptions, callerOf } from './caller.ts'
import { type Explanation, explainRequest } from './explanation.ts'
import { explanationText } from './explanation-text.ts'
import { type FoundRoute, findRoute, type RouterOptions } from './find-route.ts'

export interface ExplainOptions extends AppOptions, CallerOptions {
  json?: true
}

/** @throws CommandError SVC_EXPLAIN_REQUEST when method or path cannot be those of a request */
export async function explain(method: string, path: string, options: ExplainOptions): Promise<void> {
  const verb = readMethod(method)
  if (!path.startsWith('/')) throw new CommandError(notARequest('path', path, 'a path that starts with /'), 2)
  const command = `svc explain ${verb} ${path}`
  await inspectApp(options, command, async ({ kernel, app, declared, register }) => {
    const fastify = await register()
    await fastify.ready()
    const { routerOptions } = (app.config.server ?? {}) as { routerOptions?: RouterOptions }
    const found = findRoute(declared, verb, path, routerOptions)
    const caller = await callerOf(fastify, kernel.ANONYMOUS.identifier, options)
    const request = { found, path, socket: verb === 'WEBSOCKET', caller, tokens: kernel }
    const explanation = await explainRequest(request, securityOf(fastify))
    if (options.json !== true) print(explanationText(`${verb} ${path}`, caller, found, explanation))
    else printJson(asJson(verb, path, caller, found, explanation))
  })
}

function asJson(
  method: string,
  path: string,
  { identifier, roles, scopes }: Caller,
  found: FoundRoute | null,
  { zone, proofs, outcome, note }: Explanation
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
    proofs,
    ...(outcome ?? { decision: 'depends', status: null, reason: null }),
    note
  }
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
