/** The field in which a `many-to-one` or `one-to-one` relation keeps the id of the other row. Pure. */
import type { RelationDefinition } from './entity-definition.ts'

export function referenceField(name: string, { field }: RelationDefinition): string {
  return field ?? `${name}Id`
}
