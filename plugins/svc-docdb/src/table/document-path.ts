/** Paths into JSON as servers write them. Pure. */
import { InvalidCriteria } from 'svc-orm/errors'

/** @throws InvalidCriteria for a key that no path of a server can name */
export function documentPath(field: string, path: readonly string[]): string {
  const unnamed = path.find((part) => part.includes('.') || part.startsWith('$'))
  if (unnamed === undefined) return [field, ...path].join('.')
  throw new InvalidCriteria(
    `${field} ${JSON.stringify(unnamed)}`,
    'keys without . and without $ before them, on documents'
  )
}
