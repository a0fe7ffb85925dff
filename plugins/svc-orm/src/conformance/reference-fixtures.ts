/** Entities whose references are kept: each rule, hooks and marks among them, circles, checks at the commit. */
import { defineEntity, type EntityDefinition } from '../entities/entity-definition.ts'
import { withHooks } from '../repository/entity-hooks.ts'

const name = { type: 'string' } as const

const Customer = defineEntity({ name: 'Customer', schema: { name } })

const Purchase = defineEntity({
  name: 'Purchase',
  schema: { name },
  relations: {
    customer: { type: 'many-to-one', target: 'Customer' },
    lines: { type: 'one-to-many', target: 'PurchaseLine', mappedBy: 'purchase' }
  }
})

const PurchaseLine = defineEntity({
  name: 'PurchaseLine',
  schema: { name },
  relations: { purchase: { type: 'many-to-one', target: 'Purchase', onDelete: 'cascade' } }
})

const Remark = defineEntity({
  name: 'Remark',
  schema: { name },
  relations: {
    purchase: { type: 'many-to-one', target: 'Purchase', nullable: true, onDelete: 'setNull' },
    about: { type: 'many-to-one', target: 'Customer', nullable: true, onDelete: 'none' }
  }
})

/** A change of it counts. */
const Receipt = defineEntity({
  name: 'Receipt',
  schema: { name },
  relations: { purchase: { type: 'one-to-one', target: 'Purchase', nullable: true, onDelete: 'setNull' } },
  version: true
})

const Parcel = withHooks(
  defineEntity({
    name: 'Parcel',
    schema: { name },
    relations: { purchase: { type: 'many-to-one', target: 'Purchase', onDelete: 'cascade' } }
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

const ParcelItem = defineEntity({
  name: 'ParcelItem',
  schema: { name },
  relations: { parcel: { type: 'many-to-one', target: 'Parcel', onDelete: 'cascade' } }
})

const Branch = defineEntity({
  name: 'Branch',
  schema: { name },
  relations: { parent: { type: 'many-to-one', target: 'Branch', nullable: true, onDelete: 'cascade' } }
})

/** Kept as a whole: what belongs to it is marked with it, refuses, stays, or is forgotten. */
const Binder = defineEntity({ name: 'Binder', schema: { name }, softDelete: true })

const Sheet = defineEntity({
  name: 'Sheet',
  schema: { name },
  relations: { binder: { type: 'many-to-one', target: 'Binder', onDelete: 'cascade' } },
  softDelete: true
})

const Tab = defineEntity({
  name: 'Tab',
  schema: { name },
  relations: { binder: { type: 'many-to-one', target: 'Binder', onDelete: 'cascade' } }
})

const Loan = defineEntity({
  name: 'Loan',
  schema: { name },
  relations: { binder: { type: 'many-to-one', target: 'Binder' } },
  softDelete: true
})

const Label = defineEntity({
  name: 'Label',
  schema: { name },
  relations: { binder: { type: 'many-to-one', target: 'Binder', nullable: true, onDelete: 'setNull' } }
})

/** Two that need each other. */
const Player = defineEntity({
  name: 'Player',
  schema: { name },
  relations: { squad: { type: 'many-to-one', target: 'Squad', nullable: true, deferrable: true } }
})

const Squad = defineEntity({
  name: 'Squad',
  schema: { name },
  relations: { captain: { type: 'many-to-one', target: 'Player', deferrable: true } }
})

export const REFERENCE_DEFINITIONS: readonly EntityDefinition[] = [
  ...[Customer, Purchase, PurchaseLine, Remark, Receipt, Parcel, ParcelItem, Branch],
  ...[Binder, Sheet, Tab, Loan, Label, Player, Squad]
]
