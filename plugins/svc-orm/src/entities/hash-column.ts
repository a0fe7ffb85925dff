/** The column beside a searchable sealed field, for the keyed hash of its value. Its name is part of databases. */
export function hashColumn(field: string): string {
  return `${field}Hash`
}
