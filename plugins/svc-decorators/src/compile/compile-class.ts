/** Compiles one class into endpoints and collects all its problems. Pure; it never throws. */
import type { Problem } from 'svc-kernel'
import { limitsOf } from 'svc-kernel/plugin'
import type { ControllerClass, RouteDeclaration } from '../declarations/declarations.ts'
import { routeAccess } from './class-access.ts'
import { compileJobs, type JobPlan } from './compile-jobs.ts'
import type { Endpoint } from './endpoint.ts'
import { conflictProblem, guardProblems, subjectProblems } from './guard-problems.ts'
import { parameterProblems, signatureProblems } from './parameter-problems.ts'
import { type ResolvedClass, type ResolvedMethod, resolveClass } from './resolve-class.ts'
import { isRoutePath, joinPaths, parsePath } from './route-path.ts'
import { methodsOf, routeProblems } from './route-problems.ts'
import { foreignProblems, sortSchemas } from './route-schemas.ts'

export interface CompiledClass {
  readonly endpoints: readonly Endpoint[]
  readonly jobs: readonly JobPlan[]
  readonly problems: readonly Problem[]
}

/**
 * @param prefix goes before the controller's own prefix
 * @param hasCompiler whether the server may have a compiler that reads any kind of schema
 */
export function compileClass(Class: ControllerClass, prefix = '', hasCompiler = true): CompiledClass {
  const resolved = resolveClass(Class)
  const found = [classProblems(resolved), ...resolved.methods.map((method) => methodProblems(resolved, method))].flat()
  const full = joinPaths(prefix, textOf(resolved.controller?.prefix))
  const compiled = resolved.methods.flatMap((method) =>
    method.routes.map((route) => compileRoute(resolved, method, route, full))
  )
  const later = resolved.methods.map((method) => compileJobs(resolved, method, full))
  const foreign = hasCompiler ? [] : resolved.methods.flatMap(({ label, routes }) => foreignProblems(label, routes))
  return {
    endpoints: compiled.flatMap(({ endpoints }) => endpoints),
    jobs: later.flatMap(({ jobs }) => jobs),
    problems: distinct([...found, ...foreign, ...[...compiled, ...later].flatMap(({ problems }) => problems)])
  }
}

function classProblems({ name, controller, access, misplaced, methods }: ResolvedClass): Problem[] {
  const problems: Problem[] = []
  const source = methods.flatMap(({ routes }) => routes).at(0)?.source
  if (controller === null) {
    problems.push({
      code: 'SVC_CONTROLLER_UNDECLARED',
      message: `${name} has no @controller`,
      at: source ?? undefined,
      fix: `put @controller('/prefix') above class ${name}`
    })
  } else if (typeof controller.prefix !== 'string' || !isRoutePath(controller.prefix)) {
    problems.push({
      code: 'SVC_ROUTE_PATH',
      message: `the prefix of ${name} is not a path`,
      at: controller.source ?? undefined,
      got: JSON.stringify(controller.prefix),
      fix: "@controller('/api')"
    })
  }
  if (access.conflict !== null) problems.push(conflictProblem(name, access.conflict))
  for (const { decorator, place, source: at } of misplaced) {
    problems.push({
      code: 'SVC_ROUTE_MISPLACED',
      message: `${name} has ${decorator} on ${place}`,
      at: at ?? undefined,
      fix: 'put it on a method of the instances'
    })
  }
  return [...problems, ...guardProblems(name, access.guards)]
}

function methodProblems({ access: onClass }: ResolvedClass, method: ResolvedMethod): Problem[] {
  const { label, access, parameters, arity } = method
  const routes = [...method.routes, ...method.jobs, ...method.schedules]
  const problems = guardProblems(label, access.guards)
  if (routes.length === 0) {
    const orphan =
      access.guards[0] ?? method.limits[0] ?? access.anonymous ?? access.bypassFirewall ?? [...parameters.values()][0]
    problems.push({
      code: 'SVC_ROUTE_MISSING',
      message: `${label} has ${orphan?.decorator ?? 'decorators'} but no route`,
      at: orphan?.source ?? undefined,
      fix: 'add a route, such as @Get(), or remove the decorator'
    })
    return problems
  }
  if (arity === null) {
    problems.push({
      code: 'SVC_ROUTE_MISPLACED',
      message: `${label} is not a method`,
      at: routes[0]?.source ?? undefined,
      fix: 'declare it as a method, not as a property'
    })
  }
  const { conflict } = routeAccess(onClass, access)
  if (conflict !== null) problems.push(conflictProblem(label, conflict))
  return [...problems, ...signatureProblems(method)]
}

function compileRoute(
  resolved: ResolvedClass,
  method: ResolvedMethod,
  route: RouteDeclaration,
  prefix: string
): Omit<CompiledClass, 'jobs'> {
  const path = parsePath(joinPaths(prefix, textOf(route.path)))
  const access = routeAccess(resolved.access, method.access)
  const guards = access.requirement === null ? [] : [...resolved.access.guards, ...method.access.guards]
  const { settings, standard, problems } = sortSchemas(method.label, route)
  const declared = [...resolved.limits, ...method.limits].map(({ limit }) => limit)
  const limits = [...declared, ...limitsOf(settings.config?.limits)]
  const endpoints = methodsOf(route).map(
    (name): Endpoint => ({
      ...path,
      method: name,
      name: route.name ?? null,
      label: method.label,
      source: route.source,
      settings,
      standard,
      access,
      limits,
      invocation: {
        Class: resolved.Class,
        key: method.key,
        parameters: [...method.parameters.values()]
      }
    })
  )
  return {
    endpoints,
    problems: [
      ...routeProblems(method.label, route),
      ...problems,
      ...parameterProblems(method, route, path.path, path.parameters),
      ...subjectProblems(method.label, guards, path.path, path.parameters)
    ]
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Each route of a class reports a mistake of the class; this reports it once. */
function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.code} ${problem.message} ${problem.at}`, problem])).values()]
}
