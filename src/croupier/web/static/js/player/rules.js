// The rule sheet: a clause without an anchor leads to the one that contains it, 649a.12(d)(2) to 649a.12(d).

function followClause() {
  let wanted = decodeURIComponent(location.hash.slice(1));
  if (!/^\d{3}a\./.test(wanted) || document.getElementById(wanted)) return;
  while (wanted && !document.getElementById(wanted)) {
    const shorter = wanted.replace(/\([^()]*\)$/, "");
    if (shorter !== wanted) wanted = shorter;
    else {
      wanted = [...document.querySelectorAll("a.cite[id]")].find((each) => each.id.startsWith(`${wanted}(`))?.id ?? "";
      break;
    }
  }
  if (wanted) location.replace(`#${encodeURI(wanted)}`);
}

addEventListener("hashchange", followClause);
followClause();
