/** Accounts by mail: a sign-up and a forgotten password. Jobs of a test run when it drains them, and mails stay in the outbox. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { build } from './helper.ts'

const address = 'ada@example.org'
const password = 'correct horse battery'

function post(fastify: FastifyInstance, path: string, body: object) {
  return fastify.inject({ method: 'POST', url: `/api/accounts${path}`, body })
}

/** The token of the mail with this subject. */
async function tokenOf(fastify: FastifyInstance, subject: string): Promise<string> {
  await fastify.jobs.drain()
  const { text } = await fastify.mail.outbox.next({ to: address, subject })
  return /#([\w-]+)/.exec(text)?.[1] ?? ''
}

test('a person signs up, and resets a forgotten password', async (t) => {
  const fastify = await build(t)
  assert.equal((await post(fastify, '/sign-up', { address, password })).statusCode, 202)
  const token = await tokenOf(fastify, 'Confirm your address')
  assert.equal((await post(fastify, '/verify', { token, password })).statusCode, 200)
  assert.deepEqual((await fastify.userAccounts.find(address))?.roles, ['ROLE_USER'])

  assert.equal((await post(fastify, '/reset', { address })).statusCode, 202)
  const next = { token: await tokenOf(fastify, 'Reset your password'), password: 'staple of another horse' }
  assert.equal((await post(fastify, '/reset/complete', next)).statusCode, 200)
  assert.equal((await post(fastify, '/reset/complete', next)).statusCode, 400)
})

test('an address without an account gets the same answer, and no mail', async (t) => {
  const fastify = await build(t)
  const answer = await post(fastify, '/reset', { address })
  assert.deepEqual([answer.statusCode, answer.json()], [202, { ok: true }])
  await fastify.jobs.drain()
  assert.deepEqual(fastify.mail.outbox.list(), [])
})
