/** What stops a migration, and what a way back deletes, in the words of every driver. */
import t from 'tap'
import { lossText } from '../../src/migrations/losses.ts'
import {
  danglingRows,
  migrationFailed,
  missingData,
  rowsComeBack,
  unexpectedState
} from '../../src/migrations/migration-problem.ts'
import { describeStep } from '../../src/migrations/schema-step.ts'

t.test('each has a stable code, what failed and how to fix it', async (t) => {
  const cause = new Error('unique')
  t.match(missingData('2 rows have no title', 'give fill').problems, [
    { code: 'SVC_ORM_MIGRATION_DATA', message: '2 rows have no title', fix: 'give fill' }
  ])
  t.match(unexpectedState('article is no table').problems, [
    { code: 'SVC_ORM_MIGRATION_STATE', message: 'article is no table', fix: /^correct the database or the migration/ }
  ])
  const failed = migrationFailed('20260101000000_a', 'no such table', 'nothing was kept', cause)
  t.match(failed.problems, [
    {
      code: 'SVC_ORM_MIGRATION_FAILED',
      message: '20260101000000_a failed: no such table; nothing was kept',
      fix: 'correct the migration, and run it again'
    }
  ])
  t.equal(failed.cause, cause)
})

t.test('one row, and several', async (t) => {
  const message = (count: number) => rowsComeBack(count, 'Article', 'deletedAt').problems[0]?.message
  t.equal(message(1), '1 row of Article is deleted, and would come back without deletedAt')
  t.equal(message(2), '2 rows of Article are deleted, and would come back without deletedAt')
  t.match(rowsComeBack(1, 'Article', 'deletedAt').problems, [
    { code: 'SVC_ORM_MIGRATION_DATA', fix: "give deleted: 'remove' or deleted: 'restore'" }
  ])
  t.equal(lossText({ entity: 'Article', column: null, rows: 1 }), '1 row of Article')
  t.equal(lossText({ entity: 'Article', column: null, rows: 2 }), '2 rows of Article')
  t.equal(lossText({ entity: 'Article', column: 'note', rows: 1 }), '1 value of Article.note')
  t.equal(lossText({ entity: 'Article', column: 'note', rows: 2 }), '2 values of Article.note')
  t.equal(lossText({ entity: 'a_own', column: null, rows: null }), 'an uncounted number of rows of a_own')
})

t.test('rows that name no row, and rows that name one of another scope', async (t) => {
  const reference = { column: 'teamId', to: 'Team', within: 'organizationId', onDelete: 'restrict' } as const
  const message = (...given: [number, string[], string?]) =>
    danglingRows('Player', reference, ...given).problems[0]?.message
  t.equal(message(1, ['a']), '1 row of Player names no Team in teamId: row a')
  t.equal(
    message(3, ['a', 'b'], 'organizationId'),
    '3 rows of Player name a Team of another organizationId in teamId: rows a, b and 1 more'
  )
  t.equal(
    describeStep({ kind: 'addReference', entity: 'Player', reference }),
    'keep the reference Player.teamId to Team of the same organizationId (restrict); rows without a Team of their organizationId stop it'
  )
})
