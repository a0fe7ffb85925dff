/** The front door, and what lies behind no door. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { build } from './helper.ts'

test('GET / answers', async (t) => {
  const fastify = await build(t)
  const response = await fastify.inject('/')
  assert.equal(response.statusCode, 200)
  assert.equal(typeof response.json().message, 'string')
})

test('an unknown path is a 404', async (t) => {
  const fastify = await build(t)
  const response = await fastify.inject('/nothing-here')
  assert.equal(response.statusCode, 404)
})
