/** An entity with every kind of column and index, and one it refers to: what a schema is compared with. */
import { defineEntity } from 'svc-orm'

export const Shelf = defineEntity({ name: 'Shelf', schema: { label: { type: 'string', unique: true } } })

export const EveryColumn = defineEntity({
  name: 'EveryColumn',
  schema: {
    string: { type: 'string' },
    text: { type: 'text', default: "it's" },
    code: { type: 'string', nullable: true, unique: true },
    integer: { type: 'integer' },
    amount: { type: 'integer', default: -3 },
    total: { type: 'integer', nullable: true },
    float: { type: 'float' },
    ratio: { type: 'float', default: 0.5 },
    share: { type: 'float', nullable: true },
    boolean: { type: 'boolean' },
    open: { type: 'boolean', default: true },
    kept: { type: 'boolean', nullable: true },
    date: { type: 'date' },
    since: { type: 'date', default: '2024-01-01T00:00:00Z' },
    until: { type: 'date', nullable: true },
    json: { type: 'json' },
    data: { type: 'json', nullable: true },
    preset: { type: 'json', default: 'none' },
    tags: { type: 'string', array: true },
    numbers: { type: 'float', array: true, nullable: true },
    owner: { type: 'id', nullable: true }
  },
  relations: {
    shelf: { type: 'many-to-one', target: 'Shelf' },
    former: { type: 'many-to-one', target: 'Shelf', nullable: true },
    twin: { type: 'one-to-one', target: 'Shelf', nullable: true }
  },
  indexes: [{ fields: ['string', 'date'] }, { fields: ['integer', 'until'], unique: true }],
  timestamps: true
})
