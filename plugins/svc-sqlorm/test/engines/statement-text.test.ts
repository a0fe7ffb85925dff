/** The text of a statement is told without its values, as a table; whatever a program writes into it, no value is left. */
import fc from 'fast-check'
import t from 'tap'
import { withoutValues } from '../../src/engines/statement-text.ts'

const rows: readonly [sql: string, told: string][] = [
  ['select * from "orders" where "id" = $1 and "state" = $2', 'select * from "orders" where "id" = ? and "state" = ?'],
  ['select 1 from t where a = ?1 and b in (?, ?,?)', 'select ? from t where a = ? and b in (?, …)'],
  [`select * from users where name = 'hunter2'`, 'select * from users where name = ?'],
  [`select * from users where name = 'it''s hunter2' and b = 'x'`, 'select * from users where name = ? and b = ?'],
  [`select E'it\\'s hunter2', b'101', X'CAFE'`, 'select ?, …'],
  ['select $$hunter2$$, $tag$hunter2 $$ $tag$ from t', 'select ?, … from t'],
  ['update t set a = -5.25e10, b1 = 0x1F where c2 > 7', 'update t set a = -?, b1 = ? where c2 > ?'],
  ['select a -- hunter2\nfrom t /* hunter2 */ where b = 1', 'select a from t where b = ?'],
  [`select * from t where a = 'hunter2`, 'select * from t where a = ?'],
  ['select * from t /* hunter2', 'select * from t'],
  ['select * from "a table" where "hunter2 / ="= 1', 'select * from "a table" where ?= ?'],
  ['insert into t values (1, 2, 3), (4, 5, 6)', 'insert into t values (?, …), (?, …)'],
  ['select :name, @other from t1', 'select ?, … from t1'],
  ['  select\n\t1 ', 'select ?'],
  ['', '']
]

for (const [sql, told] of rows) {
  t.test(`Q12: ${sql.slice(0, 60).replace(/\s+/g, ' ') || 'nothing'}`, async (t) => t.equal(withoutValues(sql), told))
}

t.test('Q12: a long text ends', async (t) => {
  const told = withoutValues(`select ${'"name", '.repeat(500)}1`)
  t.equal(told.length, 1000)
  t.ok(told.endsWith('…'))
})

t.test('Q12: no value of a program is left, however it is written', async (t) => {
  const value = fc.stringMatching(/^zz[a-z0-9]{6,12}$/)
  const written = (text: string) =>
    fc.constantFrom(
      `'${text}'`,
      `'it''s ${text}'`,
      `E'\\'${text}'`,
      `$$${text}$$`,
      `$q$${text}$q$`,
      `/* ${text} */`,
      `-- ${text}\n`
    )
  const cases = fc.array(
    value.chain((text) => fc.tuple(fc.constant(text), written(text))),
    { minLength: 1, maxLength: 5 }
  )
  fc.assert(
    fc.property(cases, (parts) => {
      const told = withoutValues(`select ${parts.map(([, sql]) => sql).join(' , ')} from "t"`)
      return parts.every(([text]) => !told.includes(text)) && told.endsWith('from "t"')
    })
  )
  t.pass()
})
