/** Decorators of methods that run later: `@Job`, and `@Cron` by the clock. svc-jobs runs them. */
import type { BodyOf, JobSettings, ScheduleSettings } from 'svc-kernel'
import { callSite, showCall } from '../declarations/call-site.ts'
import { type MethodOnly, onMethod } from '../declarations/declare.ts'
import type { SchemaLike } from '../declarations/route-settings.ts'
import type { MethodTaking } from './method-taking.ts'

/** Settings of `@Job`. */
export interface JobMethodSettings<Body = unknown> extends JobSettings<BodyOf<Body>> {
  /** JSON Schema or Standard Schema of the body; checked when a job is added and again before it runs. */
  readonly body?: Body & SchemaLike
}

/** Settings of `@Cron`. */
export interface CronSettings extends ScheduleSettings {
  /** Name of the schedule. Default: the name of its job. */
  readonly name?: string
}

/**
 * Declares a method that is a job: `fastify.jobs.add(name, body)` stores one, and the method runs at least once after that,
 * as the user who caused it. Guards decide again when it runs, and a job that they refuse is parked. Needs svc-jobs.
 *
 * @param name unique in the application, of letters, digits and `. : - _`
 */
export function Job<Body>(name: string, settings: JobMethodSettings<Body> = {}): MethodTaking<Body> {
  const declaration = { decorator: showCall('Job', [name]), source: callSite(Job), name, settings }
  return (target: object, key: string | symbol) => {
    onMethod(declaration, target, key, ({ jobs }) => {
      jobs.unshift(declaration)
    })
  }
}

/**
 * Runs the job of this method at each slot of a cron text, once among all instances. Without `@Job` the method is a job
 * named `Class.method`. What is wrong with it ends the boot (`SVC_JOBS_SCHEDULE`).
 *
 * @param cron five or six fields, or a nickname such as `@daily`
 */
export function Cron(cron: string, settings: CronSettings): MethodOnly {
  const declaration = { decorator: showCall('Cron', [cron]), source: callSite(Cron), cron, settings }
  return (target, key) => {
    onMethod(declaration, target, key, ({ schedules }) => {
      schedules.unshift(declaration)
    })
  }
}
