/** Entities with references: each rule, with hooks and marks among them, circles, checks at the commit. */
import { defineEntity, type EntityDefinition } from '../entities/entity-definition.ts'
import { withHooks } from '../repository/entity-hooks.ts'

type Relation = NonNullable<EntityDefinition['relations']>[string]

/** With a name, and with relations. */
function named(
  name: string,
  relations: Readonly<Record<string, Relation>> = {},
  settings: Pick<EntityDefinition, 'softDelete' | 'version'> = {}
): EntityDefinition {
  return { name, schema: { name: { type: 'string' } }, relations, ...settings }
}

function to(target: string, rule: Pick<Relation, 'onDelete' | 'nullable' | 'deferrable'> = {}): Relation {
  return { type: 'many-to-one', target, ...rule }
}

const CASCADE = { onDelete: 'cascade' } as const
const SET_NULL = { onDelete: 'setNull', nullable: true } as const
const MARKED = { softDelete: true }

const Parcel = withHooks(
  defineEntity({
    name: 'Parcel',
    schema: { name: { type: 'string' } },
    relations: { purchase: { type: 'many-to-one', target: 'Purchase', ...CASCADE } }
  }),
  {
    beforeDelete: (row) => {
      if (row.name === 'sent') throw new RangeError('sent')
    },
    afterDelete: async (row, { repository }) => {
      await repository('Thing').create({ label: `deleted ${row.name}` })
    }
  }
)

export const REFERENCE_DEFINITIONS: readonly EntityDefinition[] = [
  named('Customer'),
  named('Purchase', {
    customer: to('Customer'),
    lines: { type: 'one-to-many', target: 'PurchaseLine', mappedBy: 'purchase' }
  }),
  named('PurchaseLine', { purchase: to('Purchase', CASCADE) }),
  named('Remark', {
    purchase: to('Purchase', SET_NULL),
    about: to('Customer', { nullable: true, onDelete: 'none' })
  }),
  // A change of it counts.
  named('Receipt', { purchase: { ...to('Purchase', SET_NULL), type: 'one-to-one' } }, { version: true }),
  Parcel,
  named('ParcelItem', { parcel: to('Parcel', CASCADE) }),
  named('Branch', { parent: to('Branch', { ...CASCADE, nullable: true }) }),
  // With the mark of a binder, what belongs to it is marked as well, refuses, stays, or is forgotten.
  named('Binder', {}, MARKED),
  named('Sheet', { binder: to('Binder', CASCADE) }, MARKED),
  named('Tab', { binder: to('Binder', CASCADE) }),
  named('Loan', { binder: to('Binder') }, MARKED),
  named('Label', { binder: to('Binder', SET_NULL) }),
  // Two that need each other.
  named('Player', { squad: to('Squad', { nullable: true, deferrable: true }) }),
  named('Squad', { captain: to('Player', { deferrable: true }) })
]
