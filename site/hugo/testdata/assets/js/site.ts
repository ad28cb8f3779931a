// A comment that minifying removes.
const greeting: string = "hello";
document.documentElement.dataset.greeting = greeting;
