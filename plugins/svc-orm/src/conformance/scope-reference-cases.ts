/** References within a scope: a row names rows of its own scope only, whoever writes it. */
import assert from 'node:assert/strict'
import type { AnyRow } from '../entities/row-of.ts'
import { refused } from './conformance-suite.ts'
import type { ScopeCases, ScopedContext } from './scope-fixtures.ts'

const MISSING = 'SVC_ORM_REFERENCE_MISSING'

interface Clubs {
  /** One of each organisation. */
  readonly a: AnyRow
  readonly b: AnyRow
  /** Of the first. */
  readonly member: AnyRow
}

async function clubs({ opened, within }: ScopedContext): Promise<Clubs> {
  const [club, members] = [opened.repository('ScopedClub'), opened.repository('ScopedMember')]
  const [a, b] = [
    await within('a', () => club.create({ name: 'of a' })),
    await within('b', () => club.create({ name: 'of b' }))
  ]
  const member = await within('a', () => members.create({ name: 'Ann', clubId: a.id }))
  return { a, b, member }
}

export const scopeReferenceCases: ScopeCases = {
  'a row names a row of its scope': async (context) => {
    const { opened, within } = context
    const { a, b, member } = await clubs(context)
    const members = opened.repository('ScopedMember')
    await within('b', async () => {
      const isMissing = { code: MISSING, statusCode: 400, entity: 'ScopedMember', field: 'clubId' }
      await assert.rejects(() => members.create({ name: 'x', clubId: a.id }), isMissing)
      const some = [
        { name: 'x', clubId: b.id },
        { name: 'y', clubId: a.id }
      ]
      await assert.rejects(() => members.createMany(some), isMissing)
      const own = await members.create({ name: 'Ben', clubId: b.id })
      await assert.rejects(() => members.updateOne({ id: own.id }, { clubId: a.id }), isMissing)
      await assert.rejects(() => members.updateMany({}, { clubId: a.id }), isMissing)
      const changing = () => members.upsert({ id: own.id }, { name: 'x', clubId: b.id }, { update: { clubId: a.id } })
      await assert.rejects(changing, isMissing)
      await assert.rejects(() => members.updateOne({ id: own.id }, { sponsorId: member.id }), { field: 'sponsorId' })
      assert.deepEqual(await members.distinct('clubId'), [b.id])
    })
  },
  'across scopes, a row names a row of its scope as well': async (context) => {
    const { opened, across } = context
    const { a, b, member } = await clubs(context)
    const members = opened.repository('ScopedMember')
    await across(async () => {
      await refused(() => members.create({ name: 'x', organizationId: 'b', clubId: a.id }), MISSING, 400)
      const ben = await members.create({ name: 'Ben', organizationId: 'b', clubId: b.id })
      await refused(() => members.updateMany({}, { clubId: a.id }), MISSING, 400)
      await refused(() => members.updateOne({ id: ben.id }, { clubId: a.id }), MISSING, 400)
      assert.equal(await members.updateMany({ organizationId: 'a' }, { clubId: a.id }), 1)
      assert.equal(await members.updateMany({ name: 'nobody' }, { clubId: a.id }), 0)
      // Rows that are made together, one of each scope.
      const id = opened.database.ids.generate()
      const pair = [
        { id, name: 'x', organizationId: 'a', clubId: a.id },
        { name: 'y', organizationId: 'b', clubId: b.id, sponsorId: id }
      ]
      await refused(() => members.createMany(pair), MISSING, 400)
      assert.deepEqual(
        (await members.find({}, { order: [['name', 'ASC']] })).map(({ name }) => name as string),
        ['Ann', 'Ben']
      )
      assert.equal((await members.findOne({ id: member.id }))?.clubId, a.id)
    })
  },
  'a deletion follows its rules within the scope': async (context) => {
    const { opened, within } = context
    const { a, b } = await clubs(context)
    const [badges, visits] = [opened.repository('ScopedBadge'), opened.repository('ScopedVisit')]
    await within('b', async () => {
      const badge = await badges.create({ name: 'x', clubId: b.id })
      const visit = await visits.create({ name: 'v', clubId: b.id })
      await opened.repository('ScopedMember').create({ name: 'Ben', clubId: b.id })
      assert.equal(await opened.repository('ScopedClub').deleteOne({ id: a.id }), false)
      await refused(() => opened.repository('ScopedClub').deleteOne({ id: b.id }), 'SVC_ORM_REFERENCED', 409)
      await visits.deleteOne({ id: visit.id })
      assert.equal(await opened.repository('ScopedClub').deleteOne({ id: b.id }), true)
      assert.deepEqual(await badges.findOne({ id: badge.id }), { ...badge, clubId: null })
      assert.equal(await opened.repository('ScopedMember').count(), 0)
    })
    assert.equal(await within('a', () => opened.repository('ScopedMember').count()), 1)
  }
}

export const scopeReferenceTransactionCases: ScopeCases = {
  'rows that are written together, each with its own reference, name rows of their scope': async (context) => {
    const { opened, within, across } = context
    const { a, b, member } = await clubs(context)
    const members = opened.repository('ScopedMember')
    const ben = await within('b', () => members.create({ name: 'Ben', clubId: b.id }))
    const other = await within('b', () => opened.repository('ScopedClub').create({ name: 'other' }))
    await within('b', async () => {
      await refused(() => members.updateEach([{ id: ben.id, clubId: a.id }]), MISSING, 400)
      await members.updateEach([{ id: ben.id, name: 'Benno', clubId: other.id }])
      await refused(
        () => members.upsertMany([{ id: ben.id, name: 'x', clubId: a.id }], { on: ['id'], update: true }),
        MISSING,
        400
      )
    })
    await across(async () => {
      const crossed = [
        { id: member.id, clubId: a.id },
        { id: ben.id, clubId: a.id }
      ]
      await refused(() => members.updateEach(crossed), MISSING, 400)
    })
    await within('b', async () => {
      assert.deepEqual(
        (await members.find()).map(({ name, clubId }) => [name, clubId]),
        [['Benno', other.id]]
      )
    })
  },
  'a deferrable reference into another scope is refused at the commit': async (context) => {
    const { opened, within } = context
    const { b, member } = await clubs(context)
    const members = opened.repository('ScopedMember')
    const crossing = () =>
      within('b', () =>
        members.withTransaction(async (inside) => {
          await inside.create({ name: 'x', clubId: b.id, sponsorId: member.id })
        })
      )
    await assert.rejects(crossing, { code: MISSING, entity: 'ScopedMember', field: 'sponsorId' })
    await within('b', async () => {
      assert.equal(await members.count(), 0)
      const id = opened.database.ids.generate()
      await members.withTransaction(async (inside) => {
        await inside.create({ name: 'first', clubId: b.id, sponsorId: id })
        await inside.create({ id, name: 'second', clubId: b.id })
      })
      assert.equal(await members.count({ 'sponsor.name': 'second' }), 1)
    })
  }
}
