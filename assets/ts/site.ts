// The script of every page. Pages are complete without it; each part looks for what it can
// improve and leaves the page as it is where it finds nothing.
//
// The files of this folder are put one after the other (layouts/_partials/script.html): Hugo's
// bundler reads imports from a disk, and the program carries its files within itself. So each
// file is a namespace.

// Style sheets show what needs the script once it runs.
document.documentElement.classList.add("js");

for (const part of [searching, disclosure, copying, tables, charting, later]) {
  try {
    part.enhance();
  } catch (e) {
    console.error(e); // the other parts still work
  }
}
