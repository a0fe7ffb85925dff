/** Notes ask for a proof: 401 without one, an answer with a token. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { build } from './helper.ts'

const ada = { identifier: 'ada', password: 'correct horse battery', roles: ['ROLE_USER'] }

test('an anonymous caller gets 401', async (t) => {
  const fastify = await build(t)
  assert.equal((await fastify.inject('/api/notes')).statusCode, 401)
  assert.equal((await fastify.inject({ method: 'POST', url: '/api/notes', body: { title: 'a' } })).statusCode, 401)
})

test('a user with a token writes a note', async (t) => {
  const fastify = await build(t)
  await fastify.userAccounts.create(ada)
  const credentials = { username: ada.identifier, password: ada.password }
  const login = await fastify.inject({ method: 'POST', url: '/svc/security/api/token', body: credentials })
  assert.equal(login.statusCode, 200)

  const headers = { authorization: `Bearer ${login.json().access_token}` }
  const created = await fastify.inject({ method: 'POST', url: '/api/notes', headers, body: { title: 'a' } })
  assert.equal(created.statusCode, 201)
  const { items } = (await fastify.inject({ url: '/api/notes', headers })).json()
  assert.deepEqual(items, [created.json()])
})
