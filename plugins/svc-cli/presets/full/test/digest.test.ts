/** The digest: its job, its mail and its schedule. Jobs of a test run when it drains them, and mails stay in the outbox. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Note } from '../entities/note.ts'
import { build } from './helper.ts'

test('the job mails the newest notes', async (t) => {
  const fastify = await build(t)
  await fastify.orm.repository(Note).create({ title: 'Tea & cake' })
  await fastify.jobs.add('notes.digest')
  const attempts = await fastify.jobs.drain()
  assert.deepEqual(
    attempts.map(({ name, result }) => `${name} ${result}`),
    ['notes.digest done', 'svc.mail done']
  )
  const [mail] = fastify.mail.outbox.list()
  assert.equal(mail?.subject, 'The newest notes')
  assert.equal(mail?.text, '- Tea & cake')
  assert.equal(mail?.html, '<h1>Notes</h1><ul><li>Tea &amp; cake</li></ul>')
})

test('the schedule adds the job every morning', async (t) => {
  const { jobs } = await build(t)
  const [schedule] = await jobs.schedules.list()
  assert.deepEqual([schedule?.name, schedule?.zone], ['notes.digest', 'UTC'])
  const mornings = schedule?.next.map((slot) => new Date(slot).toISOString().slice(11))
  assert.deepEqual(mornings, Array(5).fill('07:00:00.000Z'))
  await jobs.schedules.runNow('notes.digest')
  const attempts = await jobs.drain()
  assert.deepEqual(
    attempts.map(({ result }) => result),
    ['done', 'done']
  )
})
