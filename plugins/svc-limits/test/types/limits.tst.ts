/** The types that authors of limits meet. */
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { RateLimit } from 'svc-kernel'
import type { LimitAnswer, SvcLimitsOptions } from 'svc-limits'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance

test('a route takes one limit or several', () => {
  expect<FastifyContextConfig['limits']>().type.toBeAssignableFrom<RateLimit>()
  expect<FastifyContextConfig['limits']>().type.toBeAssignableFrom<readonly RateLimit[]>()
  expect<RateLimit>().type.toBeAssignableFrom<{ rate: '5/min'; by: 'address' }>()
  expect<RateLimit>().type.not.toBeAssignableFrom<{ rate: '5/min' }>()
  expect<RateLimit>().type.not.toBeAssignableFrom<{ rate: '5/min'; by: 'ip' }>()
})

test('the application spends limits by name', () => {
  expect(fastify.limits.take('mail', 'key', 2)).type.toBe<Promise<LimitAnswer>>()
  expect(fastify.limits.take).type.not.toBeCallableWith('mail')
})

test('options define limits by name', () => {
  expect<SvcLimitsOptions>().type.toBeAssignableFrom<{ limits: { mail: { rate: '5/min'; burst: 2 } } }>()
  expect<SvcLimitsOptions>().type.not.toBeAssignableFrom<{ limits: { mail: { burst: 2 } } }>()
})
