/**
 * How values of one type become values of another without a loss: what the types share. `undefined` says that the value
 * has no counterpart. What a conversion makes is read as a value of the new type afterwards. Pure.
 */
import { exactText, unitsOf } from './exact-number.ts'
import type { Conversion, Conversions } from './field-type.ts'

export const same: Conversion = (value) => value
export const onlyText: Conversion = (value) => (typeof value === 'string' ? value : undefined)
export const onlyNumber: Conversion = (value) => (typeof value === 'number' ? value : undefined)
export const iso: Conversion = (value) => (value as Date).toISOString()

const digits: Conversion = (value, from) => exactText(value as bigint, from.scale ?? 0)
const units: Conversion = (value, _from, to) => unitsOf(value, to.scale ?? 0)
const rescaled: Conversion = (value, from, to) => unitsOf(exactText(value as bigint, from.scale ?? 0), to.scale ?? 0)

export const numberIn =
  (form: RegExp): Conversion =>
  (value) =>
    form.test(String(value)) ? Number(value) : undefined

/** One that would be rounded has no counterpart. */
export const unrounded: Conversion = (value, from) => {
  const number = Number(exactText(value as bigint, from.scale ?? 0))
  return unitsOf(number, from.scale ?? 0) === value ? number : undefined
}

/** Of every type that is text, by any of them. */
export function ofTexts(conversion: Conversion): Conversions {
  return { string: conversion, text: conversion, enum: conversion }
}

/** Of what `string` and its like can be made from. */
export const toText: Conversions = {
  ...{ ...ofTexts(same), id: same, day: same, uuid: same, json: onlyText },
  ...{ integer: (value) => String(value), float: (value) => String(value), boolean: (value) => String(value) },
  ...{ bigint: digits, decimal: digits, date: iso }
}

export const toExact: Conversions = {
  ...{ ...ofTexts(units), integer: units, float: units },
  ...{ bigint: rescaled, decimal: rescaled }
}
