/** What is the name of a lane: whatever makes, lists or pauses one agrees. */

/** The longest name, in characters. */
export const LONGEST_LANE = 200

export function isLaneName(lane: unknown): lane is string {
  return typeof lane === 'string' && lane.length >= 1 && lane.length <= LONGEST_LANE
}
