/** The jobs of a class: a method with `@Job`, or with `@Cron` alone, and what its decorators cannot mean there. Pure. */
import type { Problem } from 'svc-kernel'
import type { DeclaredSchedule, JobOperation } from 'svc-kernel/plugin'
import type { JobDeclaration, ParameterDeclaration } from '../declarations/declarations.ts'
import { routeAccess } from './class-access.ts'
import type { Endpoint } from './endpoint.ts'
import { places } from './guard-problems.ts'
import type { ResolvedClass, ResolvedMethod } from './resolve-class.ts'
import { joinPaths, parsePath } from './route-path.ts'

/** A job, with the route by which it runs. */
export interface JobPlan {
  readonly operation: JobOperation
  readonly endpoint: Endpoint
}

export interface CompiledJobs {
  readonly jobs: readonly JobPlan[]
  readonly problems: readonly Problem[]
}

/** As svc-jobs takes it. */
const NAME = /^[\w.:-]{1,100}$/

/** Parameters that the body can stand for: whole segments. */
const PLAIN = /^(?:\/(?:[^:*/]|::)+|\/:\w+)*\/?$/

/** @param prefix of the controller, in full */
export function compileJobs(resolved: ResolvedClass, method: ResolvedMethod, prefix: string): CompiledJobs {
  const [job = ofSchedules(method), another] = method.jobs
  if (job === undefined) return { jobs: [], problems: [] }
  const isGuarded = routeAccess(resolved.access, method.access).requirement !== null
  const problems = [
    ...parameterProblems(method),
    ...declarationProblems(method, job, another, prefix),
    ...(isGuarded ? causeProblems(method) : []),
    ...scheduleProofProblems(resolved, method)
  ]
  if (problems.length > 0) return { jobs: [], problems }
  return { jobs: [plan(resolved, method, job, prefix)], problems }
}

/** Jobs that two methods of an application name alike. */
export function jobNameProblems(jobs: readonly JobPlan[]): Problem[] {
  const seen = new Map<string, JobOperation>()
  return jobs.flatMap(({ operation }) => {
    const first = seen.get(operation.name)
    seen.set(operation.name, first ?? operation)
    if (first === undefined) return []
    const message = `two jobs are named "${operation.name}", ${first.label} and ${operation.label}`
    return [problem(message, places(first.source, operation.source), 'rename one')]
  })
}

/** `@Cron` alone makes a job of the method's name. */
function ofSchedules({ schedules: [first], label }: ResolvedMethod): JobDeclaration | undefined {
  return first && { decorator: first.decorator, source: first.source, name: label, settings: {} }
}

function plan({ Class, limits, access }: ResolvedClass, method: ResolvedMethod, job: JobDeclaration, prefix: string) {
  const { name, source, settings } = job as JobDeclaration & { readonly name: string }
  const { body, ...rest } = settings
  const { label, key, schedules } = method
  const path = joinPaths(prefix, `/${name.replaceAll(':', '::')}`)
  const endpoint: Endpoint = {
    ...parsePath(path),
    method: 'JOB',
    // A budget of its limits is one through every door.
    name: method.routes[0]?.name ?? null,
    label,
    source,
    settings: {},
    standard: {},
    access: routeAccess(access, method.access),
    // A job comes from no address.
    limits: [...limits, ...method.limits].map(({ limit }) => limit).filter(({ by }) => by !== 'address'),
    invocation: { Class, key, parameters: [...method.parameters.values()] }
  }
  const declared = schedules.map(
    ({ cron, settings: { name: own = name, ...others }, source: at }): DeclaredSchedule => {
      return { name: own, cron, settings: others, source: at }
    }
  )
  const operation: JobOperation = { name, label, path, source, body, settings: rest as object, schedules: declared }
  return { operation, endpoint }
}

function declarationProblems(
  { label }: ResolvedMethod,
  job: JobDeclaration,
  another: JobDeclaration | undefined,
  prefix: string
): Problem[] {
  const { name, decorator, source } = job
  const problems: Problem[] = []
  if (another !== undefined) {
    problems.push(problem(`${label} is two jobs`, places(source, another.source), 'keep one @Job'))
  }
  if (typeof name !== 'string' || !NAME.test(name)) {
    const fix = "@Job('invoice.send'), of 1 to 100 letters, digits and . : - _"
    problems.push({
      ...problem(`${label} has ${decorator}, which names no job`, source, fix),
      got: JSON.stringify(name)
    })
  }
  if (!PLAIN.test(prefix)) {
    const fix = 'move the job to a controller with a plain prefix'
    problems.push(problem(`${label} is a job, and the body cannot stand for the parameters of ${prefix}`, source, fix))
  }
  return problems
}

/** A guarded method with a schedule that nobody causes. */
function causeProblems({ label, schedules }: ResolvedMethod): Problem[] {
  const fix = "@Cron('0 6 * * *', { zone: 'UTC', as: 'report-bot' }), or remove the guard"
  return schedules
    .filter(({ settings }) => settings.as === undefined)
    .map(({ decorator, source }) =>
      problem(`${label} has ${decorator} and a guard, which nobody passes: nobody causes a schedule`, source, fix)
    )
}

/** Nobody is proven when the time of a schedule comes, whoever it runs as. */
function scheduleProofProblems(resolved: ResolvedClass, { access, label, schedules }: ResolvedMethod): Problem[] {
  const [proof] = [...access.guards, ...resolved.access.guards].filter(({ kind }) => kind === 'proof')
  if (proof === undefined) return []
  const fix = `move the work to a method without ${proof.decorator}, and schedule that`
  return schedules.map(({ decorator, source }) =>
    problem(`${label} has ${decorator} and ${proof.decorator}, which no schedule can prove`, source, fix)
  )
}

const ABSENT: Partial<Record<ParameterDeclaration['kind'], string>> = {
  query: 'a job has no query',
  headers: 'a job has no headers',
  message: 'a job is no message'
}

function parameterProblems({ label, parameters }: ResolvedMethod): Problem[] {
  return [...parameters.values()].flatMap(({ kind, decorator, stream, source }) => {
    const why = stream ? 'the body of a job is no stream' : ABSENT[kind]
    if (why === undefined) return []
    const fix = 'use @Body(), or @Param() for a field of the body'
    return [{ ...problem(`${label} has ${decorator}, but ${why}`, source, fix), code: 'SVC_ROUTE_PARAMETER' }]
  })
}

function problem(message: string, at: string | null | undefined, fix: string): Problem {
  return { code: 'SVC_JOB_METHOD', message, at: at ?? undefined, fix, more: 'npx svc docs jobs-on-controllers' }
}
