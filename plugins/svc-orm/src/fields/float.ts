/** `float`: a finite number. */
import { amount, type FieldTypeDefinition } from './field-type.ts'

export const floatType: FieldTypeDefinition = {
  name: 'float',
  storage: 'float',
  takes: ['min', 'max'],
  can: amount,
  // Adding 0 makes 0 of -0.
  read: (given) => (Number.isFinite(given) ? (given as number) + 0 : undefined),
  expected: () => 'a finite number',
  schema: () => ({ type: 'number' }),
  dbml: () => 'double'
}
