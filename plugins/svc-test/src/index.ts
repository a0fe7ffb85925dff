/**
 * svc-test: helpers for development and tests. As a plugin, it receives webhooks under /svc/test/webhooks. As a
 * library, it builds an application in one call, and provides a caller, a clock and a name server under the control of
 * a test.
 *
 * Decorates  nothing
 * Hooks      preClose: releases slow answers
 * Needs      nothing (svc-kernel is added when absent); it refuses to load in production
 */
import type { FastifyPluginAsync } from 'fastify'
import { appHost, BootError, definePlugin, ensureKernel, readOptions, systemClock } from 'svc-kernel'
import { optionsSchema, type SvcTestOptions, type SvcTestParts, type TestConfig } from './options.ts'
import { RECEIVER, receiverRoutes } from './receiver/receiver.routes.ts'

const BODY_LIMIT = 1_048_576

const plugin: FastifyPluginAsync<SvcTestOptions & { parts?: SvcTestParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const config = readOptions<TestConfig>('svc-test', optionsSchema, given)
  const { clock = systemClock } = given.parts ?? {}
  if (!fastify.hasDecorator('appHost')) {
    fastify.log.warn(
      { code: 'SVC_TEST_OPEN' },
      `${RECEIVER} is open to everyone, because the mode of this application is unknown`
    )
  } else if (appHost(fastify).mode === 'production') throw productionProblem()
  fastify.register(async (scope) => {
    // The signature covers the raw bytes, so nothing may parse them.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) => {
      done(null, body)
    })
    receiverRoutes(scope, config, clock)
  })
}

function productionProblem(): BootError {
  return new BootError([
    {
      code: 'SVC_TEST_PRODUCTION',
      message: 'svc-test is for development and tests, and does not load in production',
      at: 'modules',
      got: 'mode "production"',
      expected: 'mode "development" or "test"',
      fix: 'remove svc-test from the modules of production',
      more: 'npx svc docs webhooks'
    }
  ])
}

const svcTest: FastifyPluginAsync<SvcTestOptions & { parts?: SvcTestParts }> = definePlugin(plugin, {
  name: 'svc-test',
  optionsSchema,
  after: ['svc-security']
})

export default svcTest

export { ManualClock } from 'svc-stores/conformance'
export { type ActingCaller, type ActingUser, actingAs } from './acting/acting-as.ts'
export { type DrainOptions, jobsOf, type RanJob, type TestJobs } from './background/test-jobs.ts'
export { type CapturedFilter, type CapturedMail, mailsOf, type TestMails } from './background/test-mails.ts'
export { type BuildOptions, buildApp } from './build-app.ts'
export {
  addDoor,
  type CallerIdentity,
  type Callers,
  callersOf,
  type DoorParts,
  type OpenDoor,
  type SocketDoor
} from './callers/callers.ts'
export type { JobDoor } from './callers/job-door.ts'
export type { ToolAnswer, ToolDoor } from './callers/tool-door.ts'
export * from './errors.ts'
export { FakeDns } from './fake-dns.ts'
export type { SvcTestOptions, SvcTestParts } from './options.ts'
