/** `svc explain`: why a caller gets in, or does not. The application boots, but opens no port. */
import { METHODS } from 'node:http'
import { importFrom } from '../application/app-packages.ts'
import { inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson } from '../output.ts'
import { explanationText } from './explanation-text.ts'

export interface ExplainOptions extends AppOptions {
  json?: true
  /** Identifier. */
  as: string
  /** Separated by commas; they take the place of the user's own. */
  roles?: string
  /** Separated by commas. */
  scopes?: string
  /** Seconds. */
  proven?: string
  /** Separated by commas. */
  factors?: string
}

/** @throws CommandError SVC_EXPLAIN_REQUEST when method, path or age cannot be those of a request */
export async function explain(method: string, path: string, options: ExplainOptions): Promise<void> {
  const verb = readMethod(method)
  if (!path.startsWith('/')) throw new CommandError(notARequest('path', path, 'a path that starts with /'), 2)
  const { as: user, roles, scopes, proven, json } = options
  const login = { provenS: secondsOf(proven), factors: listOf(options.factors) }
  const question = { method: verb, path, user, roles: listOf(roles), scopes: listOf(scopes), ...login }
  await inspectApp(options, `svc explain ${verb} ${path}`, async ({ app, routes, register }) => {
    const fastify = await register()
    await fastify.ready()
    const { accessExplainer } = await importExplain(app.root)
    const report = await accessExplainer(fastify, routes())(question)
    if (json === true) printJson(report)
    else print(explanationText(report))
  })
}

/** Of the application's kernel, as it makes the tokens that the application's voters see. */
async function importExplain(root: string): Promise<typeof import('svc-kernel/explain')> {
  return (await importFrom(root, 'svc-kernel', 'svc-kernel/explain')) as typeof import('svc-kernel/explain')
}

function listOf(names: string | undefined): string[] | undefined {
  return names
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}

function secondsOf(proven: string | undefined): number | undefined {
  if (proven === undefined || /^\d{1,8}$/.test(proven)) return proven === undefined ? undefined : Number(proven)
  throw new CommandError(notARequest('age of the login', proven, 'seconds, such as --proven 300'), 2)
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
    fix: 'npx svc explain GET /api/hello --as alice'
  }
}
