/** How a requirement is shown. */
import t from 'tap'
import { describeRequirement, type Requirement } from '../../src/access/requirement.ts'

const rows: ReadonlyArray<[Requirement, string]> = [
  [[], ''],
  [[[{ attribute: 'ROLE_A' }]], 'ROLE_A'],
  [[[{ attribute: 'ROLE_A' }, { attribute: 'ROLE_B' }]], 'ROLE_A | ROLE_B'],
  [[[{ attribute: 'ROLE_A' }], [{ attribute: 'orders:read', subject: 'id' }]], 'ROLE_A & orders:read(id)'],
  [
    [[{ attribute: 'ROLE_A' }, { attribute: 'ROLE_B' }], [{ attribute: 'orders:read' }]],
    '(ROLE_A | ROLE_B) & orders:read'
  ]
]

for (const [requirement, text] of rows) {
  t.test(text || 'empty', async (t) => {
    t.equal(describeRequirement(requirement), text)
  })
}
