/** Plain data: what JSON can say, and nothing else. */

export type Json = string | number | boolean | null | JsonArray | JsonObject

export type JsonArray = readonly Json[]

export interface JsonObject {
  readonly [key: string]: Json
}
