/** Rows as they leave: nothing of a secret, nothing without end, and JSON whatever the field holds. */
import { randomBytes } from 'node:crypto'
import { SecretBox } from 'svc-kernel/plugin'
import t from 'tap'
import { MASK, rowView, SEALED, shownFields } from '../../src/admin/row-view.ts'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import { defineEntity } from '../../src/entities/entity-definition.ts'

const SECRETS = ['password', 'passwd', 'tokenHash', 'apiKey', 'clientSecret', 'HASH', 'otpSeed', 'session_cookie']
const OPEN = ['title', 'spinning', 'opinion', 'at', 'payload', 'items']

const fieldsOf = (names: readonly string[]) => {
  const schema = Object.fromEntries(names.map((name) => [name, { type: 'json', nullable: true } as const]))
  const definition = defineEntity({ name: 'Thing', schema })
  const [entity] = compileEntities([{ definition, place: null }], 'main').entities
  if (entity === undefined) throw new Error('it compiles')
  return shownFields(entity)
}

t.test('fields of secrets are not among those that are read', async (t) => {
  t.strictSame(
    fieldsOf([...SECRETS, ...OPEN]).map(({ name }) => name),
    ['id', ...OPEN]
  )
})

t.test('values: secrets inside are masked, long ones cut with a mark, all is JSON', async (t) => {
  const fields = fieldsOf(OPEN)
  const row = {
    id: '1',
    title: `${'a'.repeat(199)}\u{1f600}`,
    spinning: 12n,
    at: new Date(0),
    payload: { user: { name: 'ada', password: 'S' }, list: [{ apiToken: 'S' }] },
    items: Array.from({ length: 200 }, (_, index) => index),
    opinion: Buffer.from('abc'),
    password: 'S'
  }
  const { values, cut } = rowView(row, fields)
  t.strictSame(cut, ['title', 'items'])
  t.equal(values.title, `${'a'.repeat(199)}…`, 'no half of a character')
  t.match(values.items, /^\[0,1,2,.{193}…$/)
  t.equal(values.spinning, '12')
  t.equal(values.at, '1970-01-01T00:00:00.000Z')
  t.equal(values.opinion, 'YWJj')
  t.strictSame(values.payload, { user: { name: 'ada', password: MASK }, list: [{ apiToken: MASK }] })
  t.notMatch(JSON.stringify(values), '"S"')
  t.equal(rowView({ id: '1' }, fields).values.title, null)
})

t.test('a text that was encrypted is never shown as the text that it looks like, at any depth', async (t) => {
  const box = new SecretBox(randomBytes(32), 'any')
  const [short, long] = [box.seal('a cough'), box.seal('x'.repeat(500))]
  const row = { id: '1', title: short, payload: { notes: [long, 'plain'] }, items: [short], opinion: 'gcm1' }
  const { values, cut } = rowView(row, fieldsOf(OPEN))
  t.strictSame([values.title, values.payload, values.items], [SEALED, { notes: [SEALED, 'plain'] }, [SEALED]])
  t.equal(values.opinion, 'gcm1')
  t.strictSame(cut, [])
})
