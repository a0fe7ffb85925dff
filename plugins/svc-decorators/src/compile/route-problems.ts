/** Mistakes in the declaration of a route: its methods, its path, its settings. Pure. */
import type { Problem } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import type { RouteDeclaration } from '../declarations/declarations.ts'
import { SHORT_SCHEMAS } from '../declarations/route-settings.ts'
import { isRoutePath } from './route-path.ts'

const HTTP_METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const METHODS = [...HTTP_METHODS, 'WEBSOCKET']

/** Methods whose request has no body in Fastify. */
export const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** They run for requests and for upgrades. */
export const ROUTE_HOOKS = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
  'onResponse',
  'onTimeout',
  'onError',
  'onRequestAbort',
  'errorHandler'
] as const

const SHARED_SETTINGS = [
  'schema',
  'validatorCompiler',
  'serializerCompiler',
  'config',
  'constraints',
  'logLevel',
  'logSerializers',
  ...ROUTE_HOOKS
]
const HTTP_SETTINGS = [
  ...SHARED_SETTINGS,
  'bodyLimit',
  'exposeHeadRoute',
  'handlerTimeout',
  'attachValidation',
  'schemaErrorFormatter',
  'tool',
  'resource'
]

/** The methods of a declaration in upper case, each once; unknown ones are left to `routeProblems`. */
export function methodsOf({ methods }: RouteDeclaration): string[] {
  return [...new Set(methods.map((method) => String(method).toUpperCase()))]
}

export function routeProblems(label: string, route: RouteDeclaration): Problem[] {
  const at = route.source ?? undefined
  const methods = methodsOf(route)
  const problems: Problem[] = []
  if (methods.length === 0) {
    problems.push({
      code: 'SVC_ROUTE_METHOD',
      message: `${label} has ${route.decorator} without a method`,
      at,
      expected: METHODS.join(' | '),
      fix: "methods: ['GET']"
    })
  }
  for (const method of methods.filter((each) => !METHODS.includes(each))) {
    const near = nearestName(method, METHODS)
    problems.push({
      code: 'SVC_ROUTE_METHOD',
      message: `${label} has the unknown method "${method}"${near === undefined ? '' : ` (did you mean ${near}?)`}`,
      at,
      expected: METHODS.join(' | '),
      fix: `write ${near ?? METHODS[0]}`
    })
  }
  if (route.path !== undefined && (typeof route.path !== 'string' || !isRoutePath(route.path))) {
    problems.push({
      code: 'SVC_ROUTE_PATH',
      message: `${label} has a path that no request can match`,
      at,
      got: JSON.stringify(route.path),
      fix: "start it with a slash, as in '/items/:id'"
    })
  }
  if (route.name !== undefined && (typeof route.name !== 'string' || route.name === '')) {
    problems.push({
      code: 'SVC_ROUTE_NAME',
      message: `the name of ${label} is not a text`,
      at,
      got: JSON.stringify(route.name),
      fix: 'use a text, or remove the name'
    })
  }
  return [...problems, ...settingProblems(label, route, methods)]
}

function settingProblems(label: string, { settings, source }: RouteDeclaration, methods: readonly string[]): Problem[] {
  const at = source ?? undefined
  const known = methods.some((method) => HTTP_METHODS.includes(method)) ? HTTP_SETTINGS : SHARED_SETTINGS
  const problems: Problem[] = Object.keys(settings)
    .filter((key) => !known.includes(key) && !SHORT_SCHEMAS.includes(key))
    .map((key) => {
      const near = nearestName(key, known)
      return {
        code: 'SVC_ROUTE_OPTION',
        message: `${label} has the unknown route option ${key}${near === undefined ? '' : ` (did you mean ${near}?)`}`,
        at,
        expected: known.join(' | '),
        fix: near === undefined ? `remove ${key}` : `rename ${key} to ${near}`
      }
    })
  if (settings.config !== undefined && 'svc' in settings.config) {
    problems.push({
      code: 'SVC_ROUTE_OPTION',
      message: `${label} sets config.svc, which is reserved for guards`,
      at,
      fix: 'rename the key'
    })
  }
  if (settings.schema?.body !== undefined && methods.length > 0 && methods.every((method) => BODYLESS.has(method))) {
    problems.push({
      code: 'SVC_ROUTE_SCHEMA',
      message: `${label} has schema.body, but ${methods.join(' and ')} carry no body`,
      at,
      fix: 'use schema.querystring'
    })
  }
  return problems
}
