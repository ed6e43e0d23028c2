// The server's clock: the page carries its time, and a monotonic clock keeps it. The computer's own clock may be wrong.
//
// now()  -> milliseconds since 1970, by the server's clock
import { one } from "./build.js";

const { now: sent } = one("[data-now]").dataset;
const offset = Number(sent) - performance.now();

export const now = () => performance.now() + offset;
