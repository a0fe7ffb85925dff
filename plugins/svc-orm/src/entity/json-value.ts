/** Free JSON, as a field of type `json` keeps it. */

export type JsonScalar = string | number | boolean | null

export type JsonValue = JsonScalar | JsonValue[] | { [key: string]: JsonValue }
