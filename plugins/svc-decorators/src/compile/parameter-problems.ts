/** Mistakes in parameter decorators: arguments that could never hold anything. Pure. */
import type { Problem } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import type { ParameterDeclaration, RouteDeclaration } from '../declarations/declarations.ts'
import type { ResolvedMethod } from './resolve-class.ts'
import { BODYLESS, methodsOf } from './route-problems.ts'

const CODE = 'SVC_ROUTE_PARAMETER'

/** Judges the parameters of a method against one of its routes. */
export function parameterProblems(
  method: ResolvedMethod,
  route: RouteDeclaration,
  path: string,
  pathParameters: readonly string[]
): Problem[] {
  const { label } = method
  const methods = methodsOf(route)
  return [...method.parameters.values()].flatMap((parameter) => {
    const at = parameter.source ?? undefined
    const problem = (message: string, fix: string): Problem[] => [
      { code: CODE, message: `${label} has ${parameter.decorator}, ${message}`, at, fix }
    ]
    switch (parameter.kind) {
      case 'message':
        if (methods.includes('WEBSOCKET')) return []
        return problem(
          `but ${methods.join(', ')} ${path} is not a WEBSOCKET route`,
          'use @Body(), or add the method WEBSOCKET'
        )
      case 'body':
        return bodyProblems(parameter, route, methods, problem)
      case 'param': {
        const { name } = parameter
        if (name === undefined || pathParameters.includes(name)) return []
        const near = nearestName(name, pathParameters)
        return problem(
          `but ${path} has no such parameter${near === undefined ? '' : ` (did you mean ${near}?)`}`,
          `put :${name} in the path`
        )
      }
      default:
        return []
    }
  })
}

function bodyProblems(
  { stream }: ParameterDeclaration,
  { settings }: RouteDeclaration,
  methods: readonly string[],
  problem: (message: string, fix: string) => Problem[]
): Problem[] {
  if (stream && methods.includes('WEBSOCKET')) {
    return problem(
      'but a WebSocket message is not a stream',
      'use @Message({ binary: true }), or another method for WEBSOCKET'
    )
  }
  if (stream && settings.schema?.body !== undefined) {
    return problem('but schema.body cannot validate raw bytes', 'remove schema.body')
  }
  if (methods.length > 0 && methods.every((method) => BODYLESS.has(method))) {
    return problem(`but ${methods.join(' and ')} carry no body`, 'use @Query(), or POST, PUT or PATCH')
  }
  return []
}

/** Judges the parameter list by itself: every parameter needs a decorator, and some contradict each other. */
export function signatureProblems(method: ResolvedMethod): Problem[] {
  const { label, parameters, arity, routes, jobs } = method
  const at = (routes[0] ?? jobs[0])?.source ?? undefined
  const problems: Problem[] = []
  const count = Math.max(arity ?? 0, ...[...parameters.keys()].map((index) => index + 1))
  const bare = Array.from({ length: count }, (_, index) => index).filter((index) => !parameters.has(index))
  if (bare.length > 0) {
    problems.push({
      code: CODE,
      message: `${label} takes ${count} parameter(s), and parameter ${bare.map((index) => index + 1).join(', ')} has no decorator`,
      at,
      fix: 'decorate it: @Ctx() injects request and reply'
    })
  }
  const all = [...parameters.values()]
  for (const [kind, flag] of [
    ['body', 'stream'],
    ['message', 'binary']
  ] as const) {
    const same = all.filter((parameter) => parameter.kind === kind)
    if (same.some((parameter) => parameter[flag]) && same.some((parameter) => !parameter[flag])) {
      problems.push({
        code: CODE,
        message: `${label} has both ${same.map(({ decorator }) => decorator).join(' and ')}`,
        at,
        fix: 'keep one'
      })
    }
  }
  return problems
}
