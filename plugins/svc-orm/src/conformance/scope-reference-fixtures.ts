/** Entities of one scope that refer to each other, by each rule. */
import { defineEntity, type EntityDefinition } from '../entities/entity-definition.ts'

const scope = 'organization'
const schema = { name: { type: 'string' } } as const

const Badge = defineEntity({
  name: 'ScopedBadge',
  scope,
  schema,
  relations: { club: { type: 'many-to-one', target: 'ScopedClub', nullable: true, onDelete: 'setNull' } }
})

const Visit = defineEntity({
  name: 'ScopedVisit',
  scope,
  schema,
  relations: { club: { type: 'many-to-one', target: 'ScopedClub' } }
})

const Member = defineEntity({
  name: 'ScopedMember',
  scope,
  schema,
  relations: {
    club: { type: 'many-to-one', target: 'ScopedClub', onDelete: 'cascade' },
    sponsor: { type: 'many-to-one', target: 'ScopedMember', nullable: true, deferrable: true }
  }
})

const Club = defineEntity({ name: 'ScopedClub', scope, schema })

/** Those that refer to others first. */
export const SCOPED_REFERENCES: readonly EntityDefinition[] = [Badge, Visit, Member, Club]
